interface MarkProps {
  className: string | undefined;
}

export function CheckMark({ className }: MarkProps) {
  return (
    <svg className={className} viewBox="0 0 56 56" aria-hidden="true">
      <circle cx="28" cy="28" r="26" />
      <path d="m17 29 8 8 15-17" />
    </svg>
  );
}

export function CrossMark({ className }: MarkProps) {
  return (
    <svg className={className} viewBox="0 0 56 56" aria-hidden="true">
      <circle cx="28" cy="28" r="26" />
      <path d="M20 20l16 16M36 20 20 36" />
    </svg>
  );
}
