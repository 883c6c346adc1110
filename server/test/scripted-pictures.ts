import { copyFile, stat } from 'node:fs/promises'
import type { PictureMaker, PictureReason } from '../src/ports/picture-maker.ts'

export type ScriptedPictures = PictureMaker & {
  /** What it says of every file from now on; null: a picture. */
  reason: PictureReason | null
  /** How it fails from now on; null for not at all. */
  failure: Error | null
}

/** Draws a picture by taking it as it is. */
export function scriptedPictures(): ScriptedPictures {
  const pictures: ScriptedPictures = {
    reason: null,
    failure: null,
    async make(from, to) {
      if (pictures.failure) throw pictures.failure
      if (pictures.reason) return pictures.reason
      await copyFile(from, to)
      return { width: 60, height: 40, bytes: (await stat(to)).size }
    },
    async close() {},
  }
  return pictures
}
