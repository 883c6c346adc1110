/** The paths of all pages, used by the router and by every link. `admin-pages.ts` has those of one pharmacy. */
export const paths = {
  dashboard: '/',
  /** Leads to the dashboard. */
  dashboardAlias: '/dashboard',
  /** A printable list of the orders of one day. */
  dayOrders: '/orders/day',
  account: '/account',
  /** The members of the pharmacy, for its owners. */
  colleagues: '/account/colleagues',
  apiKeys: '/account/api-keys',
  /** Copies and erasures of a customer's data, for the pharmacy's owners. */
  customerData: '/account/customer-data',
  /** What was done for the pharmacy, for its owners. */
  pharmacyAudit: '/account/audit',
  /** When orders are ready for their customers, for the pharmacy's owners. */
  pickup: '/account/pickup',
  /** Whether the reader of the counter reads bars from this screen, and in which size. */
  readerTest: '/account/reader-test',
  /** What the pharmacy shows of itself, for its owners. */
  pharmacyProfile: '/account/pharmacy',
  /** Prepares the texts and the picture of a product, to be copied elsewhere. */
  productDraft: '/product-draft',
  offers: '/offers',
  /** Printable offer sheets. */
  offerSheets: '/offer-sheets',
  /** The customers with priority access. */
  priority: '/priority',
  prioritySettings: '/priority/settings',
  /** Arrivals and waits of a period. */
  priorityReport: '/priority/report',
  /** A printable sheet with the code of the page that finds a priority session. */
  priorityPoster: '/priority/poster',
  /** The screen in the room. Public, drawn on the server. */
  priorityDisplay: '/priority/display',
  analytics: '/analytics',
  analyticsSettings: '/analytics/settings',
  /** A printable report of a period. */
  analyticsReport: '/analytics/report',
  /** The WhatsApp connection. A document of its own: the server gives it another content security policy. */
  whatsapp: '/meta',
  login: '/login',
  /** Asks for the click that consumes a link sent by mail. */
  confirm: '/confirm',
  resetPassword: '/reset-password',
  privacy: '/privacy',
  admin: '/admin',
  adminLogin: '/admin/login',
  adminDashboard: '/admin/dashboard',
  adminAccount: '/admin/account',
  /** The state of all pharmacies, those that need attention first. */
  adminOverview: '/admin/overview',
  adminPharmacies: '/admin/pharmacies',
  /** Deleted pharmacies, which can be restored, exported and purged. */
  adminDeletedPharmacies: '/admin/pharmacies/deleted',
  adminPharmacyImport: '/admin/pharmacies/import',
  adminNewPharmacy: '/admin/pharmacies/new',
  adminCategories: '/admin/categories',
  adminPlans: '/admin/subscription-plans',
  /** How far the orders of each pharmacy are out of Airtable. */
  adminMigrations: '/admin/orders-migration',
  adminSettings: '/admin/settings',
  adminAudit: '/admin/audit',
} as const

/** The paths that need no session. On a preview host, browser storage is cleared on all other pages. */
export const publicPaths: readonly string[] = [
  paths.login,
  paths.confirm,
  paths.resetPassword,
  paths.privacy,
  paths.adminLogin,
]

/** The name in the query of the privacy page for the pharmacy from whose page it is opened: its readable code. */
export const PRIVACY_FROM = 'farmacia'

/** @param code the pharmacy's readable code; null where there is none */
export function privacyPath(code: string | null): string {
  return code === null
    ? paths.privacy
    : `${paths.privacy}?${PRIVACY_FROM}=${encodeURIComponent(code)}`
}

/** The path of the public page of a pharmacy's offers, or of one offer. @param code the pharmacy's readable code */
export function publicOffersPath(code: string, offerId?: string): string {
  const page = `${paths.offers}/${encodeURIComponent(code)}`
  return offerId === undefined ? page : `${page}/${offerId}`
}

/**
 * The code and the offer of a path below `paths.offers`; undefined for a deeper one. What cannot be decoded is empty.
 */
export function parseOffersPath(
  path: string,
): { code: string; offerId: string | null } | undefined {
  const [, , code = '', offerId = '', ...more] = path.split('/')
  if (more.length > 0) return undefined
  // Ids are written in lower case.
  return { code: decoded(code), offerId: offerId === '' ? null : decoded(offerId).toLowerCase() }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/**
 * The path of a customer's page, or of the page that finds it. Public, drawn on the server.
 * @param code the pharmacy's readable code
 * @param orderId the record id of the order
 */
export function customerPriorityPath(code: string, orderId?: string): string {
  const page = `${paths.priority}/${encodeURIComponent(code)}`
  return orderId === undefined ? page : `${page}/${encodeURIComponent(orderId)}`
}

/** The public page that says what of its page views is counted. @param code the pharmacy's readable code */
export function countingPath(code: string): string {
  return `${publicOffersPath(code)}/che-cosa-contiamo`
}

/** The search parameter of the dashboard with the record id of the order whose details are open. */
export const ORDER_PARAM = 'ordine'
