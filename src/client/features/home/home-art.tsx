import type { ReactNode } from "react";
import art from "../../ui/art.module.css";

/** A PDF enters a printer at the top, a printed page comes out below. */
export function HeroArt({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 480 470" strokeWidth="4" aria-hidden="true">
      <g className={art.faint} strokeWidth="2">
        <path d="M20 56h28M56 20v28M460 56h-28M424 20v28M20 414h28M56 450v-28M460 414h-28M424 450v-28" />
      </g>
      <path className={art.sheet} d="M146 36h140l48 48v130H146z" />
      <path className={art.line} d="M286 36v48h48" />
      <text className={art.text} x="170" y="108" fontSize="40">
        PDF
      </text>
      <path className={art.faint} strokeDasharray="2 12" d="M172 138h136M172 162h104" />
      <path className={art.sheet} d="M134 232h212v204H134z" />
      <path className={art.mark} d="M164 304h116v22H164z" />
      <path className={art.line} d="M168 284h100M168 315h144M168 346h144M168 377h144M168 408h88" />
      <path
        className={art.accent}
        d="M66 186h348a16 16 0 0 1 16 16v52a16 16 0 0 1-16 16H66a16 16 0 0 1-16-16v-52a16 16 0 0 1 16-16z"
      />
      <text className={art.onAccent} x="78" y="237" fontSize="24">
        A4 · 70 GSM
      </text>
      <circle className={art.onAccent} cx="368" cy="228" r="7" />
      <circle className={art.onAccent} cx="394" cy="228" r="7" />
    </svg>
  );
}

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

function ChoiceArt({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 200 120" strokeWidth="2.5" aria-hidden="true">
      {children}
    </svg>
  );
}

export function FileTypesArt() {
  return (
    <ChoiceArt>
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
    </ChoiceArt>
  );
}

export function ColourArt() {
  return (
    <ChoiceArt>
      <path className={art.sheet} d="M62 10h76v100H62z" />
      <path className={art.ink} d="M72 84l16-22 12 14V98H72z" />
      <path className={art.accent} d="M100 76l14-18 14 22v18h-28z" />
      <circle className={art.accent} cx="116" cy="34" r="9" />
      <path className={art.line} d="M100 4v112" strokeDasharray="1 7" />
      <path className={art.line} d="M72 28h16M72 40h16" />
    </ChoiceArt>
  );
}

export function PaperSizeArt() {
  return (
    <ChoiceArt>
      <path className={art.sheet} d="M70 12h64v90H70z" />
      <path className={art.faint} d="M56 12v90M51 12h10M51 102h10M70 114h64M70 109v10M134 109v10" />
      <text className={art.text} x="85" y="68" fontSize="28">
        A4
      </text>
    </ChoiceArt>
  );
}

export function OrientationArt() {
  return (
    <ChoiceArt>
      <path className={art.sheet} d="M34 14h58v84H34z" />
      <path className={art.line} d="M46 34h34M46 48h34M46 62h22" />
      <path className={art.wash} d="M84 52h84v54H84z" />
      <path className={art.line} d="M98 70h56M98 84h36" />
    </ChoiceArt>
  );
}
