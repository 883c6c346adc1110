import type { Rolldown } from 'vite'

// What the dashboard loads by itself after its first rows, as a few pieces. Each holds these files and all that they import,
// unless it is of the first load. Files that only a press on a button needs are not listed. The toasts are apart: the rest
// works without them.

/** What all pages of a pharmacy have in their frame, and keeps them fresh. */
const frame = [
  'web/src/features/notifications/announcements.ts',
  'web/src/features/notifications/pharmacy-alerts.tsx',
  'web/src/features/orders/data/order-worker.ts',
  'web/src/features/priority/arrivals/priority-arrivals.tsx',
  'web/src/features/settings/platform-messages.tsx',
  'web/src/lib/layers.ts',
  'web/src/lib/realtime-channel.ts',
]

/** What lies around the rows. */
const around = [
  'contract/src/prescription-codes.ts',
  'web/src/app/routes/dashboard-parts.ts',
  'web/src/features/notifications/notification-switch.ts',
  'web/src/features/notifications/push-subscription.ts',
  'web/src/features/orders/change/conflict-dialog.tsx',
  'web/src/features/orders/data/hold-back.ts',
  'web/src/features/orders/data/word-matches.ts',
  'web/src/features/orders/filter/filters-sheet.tsx',
  'web/src/features/orders/filter/period-panel.tsx',
  'web/src/features/orders/filter/status-panel.tsx',
  'web/src/features/orders/list/no-orders.tsx',
  'web/src/features/orders/list/pagination-bar.tsx',
  'web/src/features/orders/notices/list-notices.tsx',
  'web/src/features/orders/page/order-keyboard.tsx',
  'web/src/features/whatsapp/drafts/drafts-banner.tsx',
]

/** What the details of an order show. */
const details = [
  'web/src/features/orders/details/correction-section.tsx',
  'web/src/features/orders/details/order-details.tsx',
  'web/src/features/prescriptions/prescription-list.tsx',
  'web/src/features/whatsapp/order/customer-messages.tsx',
]

/** By the name of its chunk. A file that several import is in the first. */
const pieces = {
  'pharmacy-frame': frame,
  'dashboard-around': around,
  'dashboard-details': details,
}

const isOf = (files: readonly string[]) => (id: string) =>
  files.some((file) => id.endsWith(`/${file}`))
const isOfPiece = isOf(Object.values(pieces).flat())

/** What a file of the application loads lazily, besides those pieces and what a press on the dashboard opens, is a page. */
const isPage = (id: string, { dynamicImporters }: Rolldown.ModuleInfo) =>
  !isOfPiece(id) && dynamicImporters.some((by) => /\/web\/src\/app\/(?!routes\/dashboard)/.test(by))

/** Our own code that other pages import as well. Without a piece for it they would load those of the dashboard. */
function nameOfCommon(asked: string, modules: { getModuleInfo: Rolldown.GetModuleInfo }) {
  if (asked.includes('/node_modules/')) return null
  const met = new Set<string>()
  const waiting = [asked]
  const found = { page: false, piece: false }
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const info = met.has(id) ? null : modules.getModuleInfo(id)
    met.add(id)
    if (!info) continue
    found.page ||= isPage(id, info)
    found.piece ||= isOfPiece(id)
    waiting.push(...info.importers)
  }
  return found.page && found.piece ? 'common' : null
}

/** The groups of the bundler for them. */
export const pieceGroups = [
  { name: nameOfCommon, debugName: 'common' },
  ...Object.entries(pieces).map(([name, files]) => ({ name, test: isOf(files) })),
]
