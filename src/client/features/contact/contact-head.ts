/** Apart from the page, so that the routes do not bring its code with the first load. */
export const CONTACT_HEAD = {
  title: "Contact us",
  description:
    "Write to Print Store: questions about an order, a reprint, your account, or your own print shop.",
};
