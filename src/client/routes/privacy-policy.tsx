import { createFileRoute, Link } from "@tanstack/react-router";
import { pageHead } from "../lib/page-head.ts";
import { Article, type ArticleSection } from "../ui/article.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export const Route = createFileRoute("/privacy-policy")({
  head: () =>
    pageHead({
      title: "Privacy Policy",
      description: "What Print Store keeps about you, who can open your files, and when they are deleted.",
    }),
  component: PrivacyPage,
});

function PrivacyPage() {
  return (
    <>
      <PageTitle lead="Your documents are your own. We keep as little as an order needs.">
        Privacy Policy
      </PageTitle>
      <Article sections={PRIVACY_SECTIONS} />
    </>
  );
}

const PRIVACY_SECTIONS: readonly ArticleSection[] = [
  {
    id: "in-short",
    title: "In short",
    content: (
      <ul>
        <li>Uploaded documents are deleted once they are printed.</li>
        <li>Uploads that you never order are deleted after 24 hours.</li>
        <li>Only you, the shop that you ordered from and the store's admins can open your files.</li>
        <li>There are no advertisements here, no tracking by other companies, and nothing is sold.</li>
      </ul>
    ),
  },
  {
    id: "what-we-keep",
    title: "What we keep, and why",
    content: (
      <ul>
        <li>
          <strong>Your account:</strong> full name, email address, mobile number, your password in a form that
          cannot be turned back into the password, the addresses that you save, the devices that you are
          logged in with and, if you turn notifications on, the address at which your browser receives them.
          We need them to let you in, to fill in forms and to reach you.
        </li>
        <li>
          <strong>Your orders:</strong> the shop, the options, the message, the price, the delivery address,
          the time of each step of the order and the stars you give it. We need them to deliver, and to settle
          questions later. The shop sees the stars of an order; students only see the average of many.
        </li>
        <li>
          <strong>At a shop's counter, without an account:</strong> the name that you give and your files, for
          two hours at most. What was ordered and paid stays in the shop's books, without your name.
        </li>
        <li>
          <strong>Your messages:</strong> what you write through the contact form or report about a print, to
          answer it, and the emails that we send you.
        </li>
      </ul>
    ),
  },
  {
    id: "your-files",
    title: "Your files",
    content: (
      <>
        <p>
          Files are kept private. The shop gets links that work for a limited time, and only for the orders it
          received. When the shop marks an order as printed, its files are kept for a short time, usually 30
          minutes, so that the shop can fix a paper jam. Then, or as soon as the prints leave the shop, they
          are deleted. If the shop has a question about a printed order, they are kept until it is settled, at
          most seven days after the question. The page of your order says when they will be, or were, deleted.
        </p>
        <p>
          For a <Link to="/refund-and-cancellation">reprint</Link> we therefore have to ask you for the file
          again. Only you, that shop and the store's admins see photos of a printing error. They are deleted
          30 days after the shop's answer; without an answer, after 90 days.
        </p>
      </>
    ),
  },
  {
    id: "who-sees-it",
    title: "Who sees it",
    content: (
      <p>
        The shop that you order from sees what it needs to print and deliver: your files, options, message,
        name, email address, mobile number and delivery address. No other shop sees anything of yours. We
        email orders to you and to the shop, so the companies that carry email carry those messages.
        Notifications pass through your browser's maker, which cannot read them.
      </p>
    ),
  },
  {
    id: "in-your-browser",
    title: "In your browser",
    content: (
      <ul>
        <li>
          One cookie keeps you logged in. It is set when you log in and goes when you log out. If you have
          said that the computer is shared, it goes with the browser or after an hour without use. What else
          the store keeps in this browser is then deleted the next time that the store is opened in it.
        </li>
        <li>
          Another remembers for 180 days that somebody has logged in with this device, but not who. If
          strangers try to guess your password, you can then still log in.
        </li>
        <li>
          A third tells your sign-up from one that somebody else makes with your address. It goes when you
          verify your account, or after a day.
        </li>
        <li>
          One for your visit at a shop's counter goes after two hours, and one for the second step of a staff
          login after ten minutes.
        </li>
        <li>
          The delivery address, the order that you are preparing and its files are stored in your browser, so
          that a reload loses nothing. They are cleared once the order is placed. Pages that you have seen are
          stored for times without internet, until you log out.
        </li>
        <li>
          While you log in by a code, the email address or number it went to is stored until you close the
          tab.
        </li>
      </ul>
    ),
  },
  {
    id: "your-rights",
    title: "Your rights",
    content: (
      <p>
        You can download what we store about you, correct it, and delete your account: see{" "}
        <Link to="/profile">Profile</Link> and <Link to="/settings">Settings</Link>. The orders of a deleted
        account stay in the shops’ records, without anything that identifies you. One thing stays for good: a
        log of what the people who work for the store and its shops did, as proof. It has their names, also of
        those who have left, the reasons and answers that they gave, and the name that somebody gave with a
        message to the store; of a person's email address it has no more than the first two letters and what
        follows the @. Is something missing from your data? <Link to="/contact-us">Write to us</Link> from the
        address of your account.
      </p>
    ),
  },
];
