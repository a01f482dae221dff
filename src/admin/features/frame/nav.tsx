import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useStaffUser } from "#admin/lib/current-shop.ts";
import { mayCall } from "#shared/permissions.ts";
import classes from "./nav.module.css";
import { NAV_GROUPS } from "./nav-entries.ts";

/** The console's screens. @param onNavigate closes the drawer that the list stands in on a narrow screen. */
export function Nav({ onNavigate }: { onNavigate: () => void }) {
  const { role } = useStaffUser();
  const groups = NAV_GROUPS.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ needs }) => mayCall(needs, role)),
  })).filter(({ entries }) => entries.length > 0);

  return (
    <nav aria-label="Console">
      {groups.map(({ title, entries }) => (
        <section key={title} className={classes.group}>
          <Text component="h2" className={classes.title}>
            {title}
          </Text>
          <ul className={classes.list}>
            {entries.map(({ to, label, icon: Icon, badge: Badge }) => (
              <li key={to}>
                <Link
                  to={to}
                  className={classes.link}
                  activeProps={{ "data-active": true }}
                  onClick={onNavigate}
                >
                  <Icon size={18} aria-hidden="true" />
                  {label}
                  {Badge && <Badge />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
