/** Where the pages live: the router and every link read this table, and the server answers 404 elsewhere. */
export const paths = {
  dashboard: '/',
  /** The orders of one day, to be printed. */
  dayOrders: '/orders/day',
  account: '/account',
  /** Who works at the pharmacy, for its owners. */
  colleagues: '/account/colleagues',
  apiKeys: '/account/api-keys',
  /** The texts and the picture of a product, which are taken from there to where they are needed. */
  productDraft: '/product-draft',
  offers: '/offers',
  /** The offers on paper. */
  offerSheets: '/offer-sheets',
  login: '/login',
  /** Asks for the click that uses up a link sent by mail. */
  confirm: '/confirm',
  resetPassword: '/reset-password',
  privacy: '/privacy',
  admin: '/admin',
  adminLogin: '/admin/login',
  adminDashboard: '/admin/dashboard',
  adminAccount: '/admin/account',
} as const

/** Those that need no session: a preview host forgets what a browser kept, except there. */
export const publicPaths: readonly string[] = [
  paths.login,
  paths.confirm,
  paths.resetPassword,
  paths.privacy,
  paths.adminLogin,
]

const known: readonly string[] = Object.values(paths)

export function isPagePath(path: string): boolean {
  return known.includes(path)
}

/** The public page of a pharmacy's offers, or of one of them. @param code the readable one of the pharmacy */
export function publicOffersPath(code: string, offerId?: string): string {
  const page = `${paths.offers}/${encodeURIComponent(code)}`
  return offerId === undefined ? page : `${page}/${offerId}`
}
