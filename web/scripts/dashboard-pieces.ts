// What the dashboard loads by itself after its first rows, as two pieces. Each holds these files and all that they import,
// unless it is of the first load. Files that only a press on a button needs are not listed. The toasts are apart: the rest
// works without them.

/** What lies around the rows, and keeps them fresh. */
const around = [
  'contract/src/prescription-codes.ts',
  'web/src/app/routes/dashboard-parts.ts',
  'web/src/features/notifications/announcements.ts',
  'web/src/features/notifications/notification-switch.ts',
  'web/src/features/notifications/pharmacy-alerts.tsx',
  'web/src/features/notifications/push-subscription.ts',
  'web/src/features/orders/change/conflict-dialog.tsx',
  'web/src/features/orders/data/hold-back.ts',
  'web/src/features/orders/data/order-worker.ts',
  'web/src/features/orders/data/word-matches.ts',
  'web/src/features/orders/filter/filters-sheet.tsx',
  'web/src/features/orders/filter/period-panel.tsx',
  'web/src/features/orders/filter/status-panel.tsx',
  'web/src/features/orders/list/no-orders.tsx',
  'web/src/features/orders/list/pagination-bar.tsx',
  'web/src/features/orders/notices/list-notices.tsx',
  'web/src/features/orders/page/order-keyboard.tsx',
  'web/src/features/priority/arrivals/priority-arrivals.tsx',
  'web/src/features/settings/platform-messages.tsx',
  'web/src/features/whatsapp/drafts/drafts-banner.tsx',
  'web/src/lib/layers.ts',
  'web/src/lib/realtime-channel.ts',
]

/** What the details of an order show. */
const details = [
  'web/src/features/orders/details/correction-section.tsx',
  'web/src/features/orders/details/order-details.tsx',
  'web/src/features/prescriptions/prescription-list.tsx',
  'web/src/features/whatsapp/order/customer-messages.tsx',
]

/** By the name of its chunk. A file that both import is in the first. */
const pieces = { 'dashboard-around': around, 'dashboard-details': details }

/** The groups of the bundler for them. */
export const pieceGroups = Object.entries(pieces).map(([name, files]) => ({
  name,
  test: (id: string) => files.some((file) => id.endsWith(`/${file}`)),
}))
