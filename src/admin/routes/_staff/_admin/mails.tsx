import { createFileRoute } from "@tanstack/react-router";
import { MailsScreen } from "../../../features/mails/mails-screen.tsx";

export const Route = createFileRoute("/_staff/_admin/mails")({ component: MailsScreen });
