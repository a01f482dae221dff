import { sessionItems } from "#client/lib/storage.ts";

/** To whom a login code was sent. */
export type OtpTarget = { email: string; phone?: undefined } | { phone: string; email?: undefined };

/** What this tab remembers of the last login code that was asked for; null when it knows of none. */
export function rememberedOtpTarget(): OtpTarget | null {
  const email = sessionItems.get("otpEmail");
  if (email) return { email };
  const phone = sessionItems.get("otpPhone");
  return phone ? { phone } : null;
}

export function forgetOtpTarget(): void {
  sessionItems.remove("otpEmail");
  sessionItems.remove("otpPhone");
}
