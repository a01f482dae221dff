/** What stands on the ticket that lies on top of an order's prints. */
export interface Ticket {
  /** The order's number. */
  number: string;
  /** Where the order is found in the console. */
  link: string;
  shop: string;
  /** When it was placed, as people read it. */
  placed: string;
  student: string;
  phone: string;
  /** What is counted, such as copies. */
  counts: TicketFact[];
  /** What is set at the printer. */
  options: TicketFact[];
  message: string;
  files: TicketFile[];
  /** Where it goes and what it costs. */
  facts: TicketFact[];
  /** Whether prints have two sides, so that the back of a ticket must stay empty. */
  isTwoSided: boolean;
}

export interface TicketFact {
  name: string;
  value: string;
}

export interface TicketFile {
  name: string;
  /** What is printed of it. */
  pages: string;
}

/** A page in the place of pages that could not be taken into the pack. */
export interface Notice {
  number: string;
  title: string;
  text: string;
}

/** What the drawing worker is asked for: a PDF at `target`. */
export type DrawingRequest = { target: string } & ({ ticket: Ticket } | { notice: Notice });

/** How many pages were drawn. */
export type Drawing = { pages: number };
