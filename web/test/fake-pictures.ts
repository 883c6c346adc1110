import type { UploadedImage } from '@bancone/contract/images'
import { onTestFinished, vi } from 'vitest'

const starts = {
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  webp: [...new TextEncoder().encode('RIFF1234WEBP')],
  heic: [0, 0, 0, 24, ...new TextEncoder().encode('ftypheic')],
  pdf: [...new TextEncoder().encode('%PDF-1.7')],
}

/** A file with the signature of its type and that many bytes. */
export function pictureOf(kind: keyof typeof starts, name: string, bytes = 1_000): File {
  const content = new Uint8Array(bytes)
  content.set(starts[kind])
  const type = kind === 'pdf' ? 'application/pdf' : `image/${kind}`
  return new File([content], name, { type })
}

/** The n-th picture as it is kept. */
export function keptPicture(n = 1): UploadedImage {
  return { url: `/images/a_${n}/0123`, publicId: `a_${n}`, width: 800, height: 600, format: 'webp' }
}

/** Fakes object URLs. @returns those that are not revoked */
export function fakeObjectUrls() {
  const kept = new Set<string>()
  let count = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    count += 1
    kept.add(`blob:test/${count}`)
    return `blob:test/${count}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void kept.delete(address))
  return kept
}

/** Fakes canvas drawing: every picture becomes a JPEG of that many bytes. */
export function fakeDrawing(width: number, height: number, bytes: number) {
  const drawn: { width: number; height: number; type: string | undefined }[] = []
  vi.stubGlobal('createImageBitmap', () =>
    Promise.resolve({ width, height, close: () => undefined }),
  )
  const paper = { fillRect: () => undefined, drawImage: () => undefined }
  const { prototype } = HTMLCanvasElement
  const own = Object.getOwnPropertyDescriptor(prototype, 'getContext') ?? {}
  Object.defineProperty(prototype, 'getContext', { ...own, value: () => paper })
  vi.spyOn(prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done, type) {
    drawn.push({ width: this.width, height: this.height, type })
    done(new Blob([new Uint8Array(bytes)], { type: type ?? '' }))
  })
  onTestFinished(() => void Object.defineProperty(prototype, 'getContext', own))
  return drawn
}
