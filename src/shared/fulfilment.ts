/** How an order reaches the student: brought to an address, or fetched at the shop. */
export const FULFILMENTS = ["delivery", "pickup"] as const;
export type Fulfilment = (typeof FULFILMENTS)[number];
