import { Box } from "@mantine/core";
import type { ReactNode } from "react";

interface ScrollBoxProps {
  /** The accessible name. */
  label: string;
  children: ReactNode;
}

/** Scrolls its content if it is too large, by keyboard too. */
export function ScrollBox({ label, children }: ScrollBoxProps) {
  return (
    <Box component="section" aria-label={label} tabIndex={0} mah="45vh" style={{ overflow: "auto" }}>
      {children}
    </Box>
  );
}
