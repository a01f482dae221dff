import type { ReactNode } from "react";
import art from "../../ui/art.module.css";

function StepArt({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 72 72" width="72" height="72" strokeWidth="2.5" aria-hidden="true">
      {children}
    </svg>
  );
}

export function VisitArt() {
  return (
    <StepArt>
      <path className={art.sheet} d="M12 32h48v30H12z" />
      <path
        className={art.accent}
        d="M14 12h44l6 16a7 7 0 0 1-14 2 7 7 0 0 1-14 0 7 7 0 0 1-14 0 7 7 0 0 1-14-2z"
      />
      <path className={art.line} d="M30 62V46h12v16" />
    </StepArt>
  );
}

export function UploadArt() {
  return (
    <StepArt>
      <path className={art.sheet} d="M18 8h26l12 12v44H18z" />
      <path className={art.line} d="M44 8v12h12" />
      <circle className={art.accent} cx="37" cy="43" r="13" />
      <path className={art.onAccentLine} d="M37 49V37m-5 5 5-5 5 5" />
    </StepArt>
  );
}

export function CustomiseArt() {
  return (
    <StepArt>
      <path className={art.line} d="M10 20h52M10 36h52M10 52h52" />
      <circle className={art.accent} cx="26" cy="20" r="6" />
      <circle className={art.sheet} cx="46" cy="36" r="6" />
      <circle className={art.accent} cx="20" cy="52" r="6" />
    </StepArt>
  );
}

export function CheckoutArt() {
  return (
    <StepArt>
      <path className={art.sheet} d="M10 24h52v38H10z" />
      <path className={art.accent} d="M18 10h36l8 14H10z" />
      <path className={art.line} d="m26 43 7 7 14-14" />
    </StepArt>
  );
}
