/** The query part of a URL: `?page=2`, or empty. `URLSearchParams.size` is missing in browsers before 2023. */
export function queryString(query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
