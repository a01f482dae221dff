/** How much a store is filled with. The same plan makes the same store, but for the salt of its one password. */
export interface LoadPlan {
  shops: number;
  students: number;
  orders: number;
  /** Over how many days the orders are spread. */
  days: number;
  /** The moment of the newest of them. */
  until: Date;
  seed: number;
}

/** What everyone whom the script makes logs in with. */
export const LOAD_PASSWORD = "correct horse battery";
export const LOAD_ADMIN = "admin@load.example";
