// The order matters: Chrome calls itself Safari, Edge calls itself Chrome, and every bot calls itself all of them.
const names = [
  ...[
    'Googlebot',
    'Bingbot',
    'DuckDuckBot',
    'YandexBot',
    'Baiduspider',
    'Applebot',
    'AhrefsBot',
    'SemrushBot',
    'MJ12bot',
  ],
  ...['DotBot', 'PetalBot', 'GPTBot', 'facebookexternalhit', 'Twitterbot', 'LinkedInBot', 'Slackbot', 'Discordbot'],
  ...[
    'TelegramBot',
    'WhatsApp',
    'Pingdom',
    'UptimeRobot',
    'curl',
    'Wget',
    'python-requests',
    'Go-http-client',
    'okhttp',
  ],
  ...['PostmanRuntime', 'HeadlessChrome', 'Electron', 'SamsungBrowser', 'UCBrowser', 'MiuiBrowser', 'HuaweiBrowser'],
  ...['Vivaldi', 'YaBrowser', 'DuckDuckGo', 'Brave', 'Whale', 'Silk', 'Puffin', 'Iron', 'OPR', 'OPiOS', 'Opera Mini'],
  ...['EdgiOS', 'EdgA', 'Edg', 'FxiOS', 'Focus', 'SeaMonkey', 'PaleMoon', 'Waterfox', 'Firefox', 'CriOS', 'Chromium'],
  ...['Chrome', 'Version', 'MSIE'],
];

const families = names.map((name) => ({
  name,
  pattern: new RegExp(`(?:^|[^a-z])${name}[ /-]v?(\\d+)(?:\\.(\\d+))?`, 'i'),
}));

export function detectBrowser(userAgent) {
  for (const { name, pattern } of families) {
    const match = pattern.exec(userAgent);
    if (match !== null) return { name: name === 'Version' ? 'Safari' : name, major: Number(match[1]) };
  }
  return { name: 'unknown', major: null };
}
