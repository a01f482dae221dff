import { sessionItems } from "#client/lib/storage.ts";

/** Where a login code was sent. */
export type OtpTarget = { email: string; phone?: undefined } | { phone: string; email?: undefined };

/** Where this tab's last login code was sent; null if none was requested. */
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
