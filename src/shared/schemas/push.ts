import { z } from "zod";

/** How many devices of one account get push messages; a further one replaces the oldest. */
export const MAX_PUSH_DEVICES = 10;

/** The push services of the browsers. The server sends requests to no other host. */
const PUSH_HOSTS =
  /^(fcm\.googleapis\.com|([a-z0-9-]+\.)+(push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com))$/;

/** Whether this is the address of a browser at a known push service: https, the usual port, no credentials. */
function isPushEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password, href } = new URL(text);
  // `host` has the port unless it is the usual one, so that the pattern refuses any other.
  return (
    protocol === "https:" && PUSH_HOSTS.test(host) && !username && !password && href.split("#")[0] === text
  );
}

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return z.string().regex(new RegExp(`^[\\w-]{${length}}$`));
};

/** What `PushSubscription.toJSON` gives. */
export const pushSubscriptionInput = z.object({
  endpoint: z.string().max(1000).refine(isPushEndpoint, "This is not the address of a push service"),
  keys: z.object({
    /** Uncompressed point on P-256. */
    p256dh: base64url(65),
    auth: base64url(16),
  }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionInput>;

/** What a push message carries, encrypted: only what may be read on a lock screen. */
export interface PushPayload {
  title: string;
  body: string;
  /** The page that opens on a click. */
  path: string;
  /** The id of the account that it is for. Another person at the same browser sees no order number. */
  viewer: string;
}
