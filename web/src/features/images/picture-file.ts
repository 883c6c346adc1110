const TIME_LIMIT_MS = 60_000

/**
 * A picture of ours as a JPEG, which every program reads.
 *
 * @throws when it does not come
 */
export async function pictureFile(address: string): Promise<Blob> {
  const response = await fetch(address, {
    headers: { accept: 'image/jpeg' },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  if (!response.ok) throw new Error(`The picture did not come: ${response.status}`)
  return response.blob()
}
