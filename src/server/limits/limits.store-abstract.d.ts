/** What the library's own limiters extend; it has types for it, but not in this place. */
declare module "rate-limiter-flexible/lib/RateLimiterStoreAbstract.js" {
  import { RateLimiterStoreAbstract } from "rate-limiter-flexible";
  export = RateLimiterStoreAbstract;
}
