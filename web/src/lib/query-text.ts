/** What follows a path: `?page=2`, or nothing. Browsers before 2023 do not count what is in it (`size`). */
export function queryText(query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
