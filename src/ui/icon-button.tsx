import type { ButtonHTMLAttributes } from "react";
import classes from "./icon-button.module.css";

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name. */
  label: string;
}

export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={[classes.button, className].filter(Boolean).join(" ")}
      {...rest}
    />
  );
}
