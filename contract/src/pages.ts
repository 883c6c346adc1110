/** The pages of the application, as path patterns: the server's word on what is a page and what is 404. */
export const pagePaths = ['/', '/login', '/privacy'] as const

export function isPagePath(path: string): boolean {
  return pagePaths.some((page) => page === path)
}
