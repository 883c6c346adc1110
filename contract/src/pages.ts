/** Where the pages live: the router and every link read this table, and the server answers 404 elsewhere. */
export const paths = {
  dashboard: '/',
  login: '/login',
  privacy: '/privacy',
} as const

const known: readonly string[] = Object.values(paths)

export function isPagePath(path: string): boolean {
  return known.includes(path)
}
