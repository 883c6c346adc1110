/** Reads a response as a whole. @throws `tooLarge` when it has more bytes than `limit` */
export async function readBody(
  { body }: { body: ReadableStream<Uint8Array> | null },
  limit: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.byteLength
    if (bytes > limit) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
