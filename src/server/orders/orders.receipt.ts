/** What stands on a receipt, as it is read. */
export interface Receipt {
  /** The order's number. */
  number: string;
  /** Who, when, where, and how far it is. */
  facts: { name: string; value: string }[];
  files: { name: string; pages: string }[];
  /** How much is printed of them. */
  job: string;
  /** From the first line down to the total. */
  prices: { label: string; note: string; amount: string; isTotal: boolean }[];
  /** What is to know about the receipt itself. */
  remark: string;
}
