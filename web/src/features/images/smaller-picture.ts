const LONGEST_SIDE = 2000
const QUALITY = 0.9

/**
 * Scales the picture to a JPEG of at most 2000 pixels a side; the browser applies its orientation.
 *
 * @returns undefined when the browser cannot
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
    // JPEG has no transparency: white, as everywhere else.
    paper.fillStyle = 'white'
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.imageSmoothingQuality = 'high'
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, 'image/jpeg', QUALITY),
    )
    return blob ?? undefined
  } finally {
    picture.close()
  }
}
