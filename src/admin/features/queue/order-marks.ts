/** What sets orders of a list apart from one another. */
export interface OrderMarks {
  /** The order that is open beside the list. */
  openId: string | undefined;
  /** The ids of the orders that are chosen. */
  chosen: ReadonlySet<string>;
}

export interface CardListMarks extends OrderMarks {
  /** Whether orders of several shops stand together, so that each says where it is from. */
  namesShop: boolean;
}
