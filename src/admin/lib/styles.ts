/** The console's CSS. Mantine's is in a layer, so that the store's own overrides it. */
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "#ui/theme/fonts.css";
import "#ui/theme/tokens.css";
import "#ui/theme/global.css";
import "./console.css";
