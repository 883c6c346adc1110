/** Where the pages live. The router and every link read this table. */
export const paths = {
  dashboard: '/',
  login: '/login',
  privacy: '/privacy',
  /** The page a recovery link leads to. */
  resetPassword: '/reset-password',
} as const
