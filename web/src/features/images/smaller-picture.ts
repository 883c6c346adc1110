const LONGEST_SIDE = 2000
const QUALITY = 0.9

/**
 * The picture again, as a JPEG of at most 2000 pixels a side; the browser turns it as its camera was held.
 *
 * @returns undefined where the browser cannot
 */
export async function smallerPicture(file: Blob): Promise<Blob | undefined> {
  if (typeof createImageBitmap !== 'function') return undefined
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const paper = canvas.getContext('2d', { alpha: false })
    if (!paper) return undefined
    // A JPEG has no transparency: what is behind a pack is white, as everywhere else.
    paper.fillStyle = 'white'
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.imageSmoothingQuality = 'high'
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const drawn = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, 'image/jpeg', QUALITY),
    )
    return drawn ?? undefined
  } finally {
    picture.close()
  }
}
