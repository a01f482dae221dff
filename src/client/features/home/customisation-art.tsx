import type { ReactNode } from "react";
import art from "../../ui/art.module.css";

function CustomisationArt({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 200 120" strokeWidth="2.5" aria-hidden="true">
      {children}
    </svg>
  );
}

export function FileTypesArt() {
  return (
    <CustomisationArt>
      <path className={art.sheet} d="M26 34h42l12 12v54H26z" />
      <path className={art.wash} d="M72 24h42l12 12v54H72z" />
      <path className={art.accent} d="M118 14h42l14 14v62h-56z" />
      <text className={art.text} x="33" y="70" fontSize="15">
        PDF
      </text>
      <text className={art.text} x="80" y="62" fontSize="15">
        PNG
      </text>
      <text className={art.onAccent} x="130" y="56" fontSize="15">
        JPG
      </text>
    </CustomisationArt>
  );
}

export function ColourArt() {
  return (
    <CustomisationArt>
      <path className={art.sheet} d="M62 10h76v100H62z" />
      <path className={art.ink} d="M72 84l16-22 12 14V98H72z" />
      <path className={art.accent} d="M100 76l14-18 14 22v18h-28z" />
      <circle className={art.accent} cx="116" cy="34" r="9" />
      <path className={art.line} d="M100 4v112" strokeDasharray="1 7" />
      <path className={art.line} d="M72 28h16M72 40h16" />
    </CustomisationArt>
  );
}

export function PaperSizeArt() {
  return (
    <CustomisationArt>
      <path className={art.sheet} d="M70 12h64v90H70z" />
      <path className={art.faint} d="M56 12v90M51 12h10M51 102h10M70 114h64M70 109v10M134 109v10" />
      <text className={art.text} x="85" y="68" fontSize="28">
        A4
      </text>
    </CustomisationArt>
  );
}

export function OrientationArt() {
  return (
    <CustomisationArt>
      <path className={art.sheet} d="M34 14h58v84H34z" />
      <path className={art.line} d="M46 34h34M46 48h34M46 62h22" />
      <path className={art.wash} d="M84 52h84v54H84z" />
      <path className={art.line} d="M98 70h56M98 84h36" />
    </CustomisationArt>
  );
}
