import art from "../../ui/art.module.css";

/** A PDF goes in at the top, a printed page comes out below. */
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
