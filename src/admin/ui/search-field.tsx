import { TextInput, type TextInputProps } from "@mantine/core";
import { useTypedText } from "./use-typed-text.ts";

interface SearchFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  /** Called once the typing pauses. */
  onSearch: (text: string) => void;
}

/** A search field; the search runs while typing. */
export function SearchField({ value, onSearch, ...props }: SearchFieldProps) {
  const { field, typed, setTyped, send } = useTypedText(value, onSearch);
  return (
    <TextInput
      type="search"
      maxLength={200}
      {...props}
      ref={field}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
