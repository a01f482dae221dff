import "../../ui/theme/form-styles.ts";
import { type InputWrapperProps, NumberInput, type NumberInputProps } from "@mantine/core";
import { TbMinus, TbPlus } from "react-icons/tb";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./count-field.module.css";

/** The description is below the field, so that fields in a row stay aligned. */
const INPUT_ORDER: InputWrapperProps["inputWrapperOrder"] = ["label", "input", "error", "description"];

interface CountFieldProps extends Omit<NumberInputProps, "value" | "onChange"> {
  /** What is counted, such as "copies". */
  items: string;
  max: number;
  /** "" while the field is empty. */
  value: number | "";
  onChange: (value: number | "") => void;
}

/** A whole number from 1 to `max`, typed or stepped by buttons that a thumb can hit. */
export function CountField({ items, max, value, onChange, ...props }: CountFieldProps) {
  const isOff = props.disabled === true;
  // The keyboard has the arrow keys in the field.
  const step = { tabIndex: -1, className: classes.step };
  return (
    <NumberInput
      {...props}
      min={1}
      max={max}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      inputWrapperOrder={INPUT_ORDER}
      hideControls
      classNames={{ input: classes.input, section: classes.section }}
      leftSectionPointerEvents="all"
      rightSectionPointerEvents="all"
      leftSection={
        <IconButton
          {...step}
          label={`Fewer ${items}`}
          disabled={isOff || value === "" || value <= 1}
          onClick={() => value !== "" && onChange(value - 1)}
        >
          <TbMinus size={20} aria-hidden="true" />
        </IconButton>
      }
      rightSection={
        <IconButton
          {...step}
          label={`More ${items}`}
          disabled={isOff || (value !== "" && value >= max)}
          onClick={() => onChange(value === "" ? 1 : value + 1)}
        >
          <TbPlus size={20} aria-hidden="true" />
        </IconButton>
      }
      value={value}
      onChange={(typed) => onChange(asCount(typed))}
    />
  );
}

/** Anything but a whole number above 0 counts as an empty field. */
function asCount(value: string | number): number | "" {
  return typeof value === "number" && value >= 1 ? value : "";
}
