/** An error response of the authentication service in its current format. */
export function authError(
  status: number,
  code: string,
  { retryAfter, ...more }: Record<string, unknown> & { retryAfter?: number } = {},
): Response {
  const headers = new Headers({ 'x-supabase-api-version': '2024-01-01' })
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  return Response.json({ code, message: code, ...more }, { status, headers })
}
