const TIME_LIMIT_MS = 60_000

/**
 * Loads a stored picture as a JPEG, which every program reads.
 *
 * @throws when it fails to load
 */
export async function pictureFile(address: string): Promise<Blob> {
  const response = await fetch(address, {
    headers: { accept: 'image/jpeg' },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  if (!response.ok) throw new Error(`The picture did not come: ${response.status}`)
  return response.blob()
}
