/** The links of the header and the footer. */
export const MAIN_LINKS = [
  { to: "/", label: "Home" },
  { to: "/about-us", label: "About" },
  { to: "/shops", label: "Shops" },
  { to: "/contact-us", label: "Contact" },
] as const;

export const FOOTER_COLUMNS = [
  {
    title: "Useful Links",
    links: [
      { to: "/", label: "Home" },
      { to: "/about-us", label: "About Us" },
      { to: "/contact-us", label: "Contact Us" },
    ],
  },
  {
    title: "Help",
    links: [
      { to: "/how-it-works", label: "How it works" },
      { to: "/faq", label: "FAQs" },
      { to: "/support", label: "Support" },
    ],
  },
  {
    title: "Legal",
    links: [
      { to: "/privacy-policy", label: "Privacy Policy" },
      { to: "/terms-and-conditions", label: "Terms and Conditions" },
      { to: "/refund-and-cancellation", label: "Refund and Cancellation" },
    ],
  },
] as const;

export const GUEST_LINKS = [
  { to: "/login", label: "Login" },
  { to: "/signup", label: "Signup" },
] as const;

export const USER_LINKS = [
  { to: "/profile", label: "Profile" },
  { to: "/orders", label: "Orders" },
  { to: "/settings", label: "Settings" },
] as const;
