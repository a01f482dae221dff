import { type FileButtonProps, FileButton as MantineFileButton } from "@mantine/core";
import { useRef } from "react";

/** A button that opens the file dialog. The same file can be chosen again: a browser reports only a change. */
export function FileButton<Multiple extends boolean = false>({
  onChange,
  ...props
}: FileButtonProps<Multiple>) {
  const reset = useRef<() => void>(null);
  return (
    <MantineFileButton<Multiple>
      {...props}
      resetRef={reset}
      onChange={(chosen) => {
        onChange(chosen);
        reset.current?.();
      }}
    />
  );
}
