/** In a file of its own, so that the first load does not include the page's code. */
export const CONTACT_HEAD = {
  title: "Contact us",
  description:
    "Write to Print Store: questions about an order, a reprint, your account, or your own print shop.",
};
