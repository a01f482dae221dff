import "../../ui/form-styles.ts";
import { type InputWrapperProps, TextInput, type TextInputProps } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import TbMinus from "~icons/tabler/minus";
import TbPlus from "~icons/tabler/plus";
import classes from "./count-field.module.css";

/** Descriptions are below the fields, so that fields in a row stay aligned. */
export const INPUT_ORDER: InputWrapperProps["inputWrapperOrder"] = ["label", "input", "error", "description"];

interface CountFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** What is counted, such as "copies". */
  items: string;
  max: number;
  /** "" while the field is empty. */
  value: number | "";
  onChange: (value: number | "") => void;
}

/**
 * A whole number from 1 to `max`, typed or stepped by buttons that a thumb can hit. Mantine's NumberInput, which also
 * knows fractions, signs and thousands, would be 8 kB of the print page.
 */
export function CountField({ items, max, value, onChange, ...props }: CountFieldProps) {
  const isOff = props.disabled === true;
  // The keyboard has the arrow keys in the field.
  const step = { tabIndex: -1, className: classes.step };

  function setWithin(count: number): void {
    if (!isOff && count >= 1 && count <= max) onChange(count);
  }

  function type(typed: string): void {
    const digits = typed.trim();
    if (digits === "") onChange("");
    else if (/^\d+$/.test(digits)) setWithin(Number(digits));
  }

  function stepByKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    setWithin(value === "" ? 1 : value + (event.key === "ArrowUp" ? 1 : -1));
  }

  return (
    <TextInput
      {...props}
      role="spinbutton"
      aria-valuemin={1}
      aria-valuemax={max || undefined}
      aria-valuenow={value === "" ? undefined : value}
      inputMode="numeric"
      autoComplete="off"
      inputWrapperOrder={INPUT_ORDER}
      classNames={{ input: classes.input, section: classes.section }}
      leftSectionPointerEvents="all"
      rightSectionPointerEvents="all"
      leftSection={
        <IconButton
          {...step}
          label={`Fewer ${items}`}
          disabled={isOff || value === "" || value <= 1}
          onClick={() => value !== "" && setWithin(value - 1)}
        >
          <TbMinus size={20} />
        </IconButton>
      }
      rightSection={
        <IconButton
          {...step}
          label={`More ${items}`}
          disabled={isOff || (value !== "" && value >= max)}
          onClick={() => setWithin(value === "" ? 1 : value + 1)}
        >
          <TbPlus size={20} />
        </IconButton>
      }
      value={value}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={stepByKey}
    />
  );
}
