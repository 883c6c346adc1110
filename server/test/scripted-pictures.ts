import { copyFile, stat } from 'node:fs/promises'
import type { PictureRejection, PictureRenderer } from '../src/ports/picture-renderer.ts'

export type ScriptedPictures = PictureRenderer & {
  /** The rejection of all files from now on; null for none. */
  reason: PictureRejection | null
  /** The error of all calls from now on; null for none. */
  failure: Error | null
}

/** A renderer that copies its input. */
export function scriptedPictures(): ScriptedPictures {
  const pictures: ScriptedPictures = {
    reason: null,
    failure: null,
    async render(from, to) {
      if (pictures.failure) throw pictures.failure
      if (pictures.reason) return pictures.reason
      await copyFile(from, to)
      return { width: 60, height: 40, bytes: (await stat(to)).size }
    },
    async close() {},
  }
  return pictures
}
