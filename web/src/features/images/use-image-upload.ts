import { importImage, uploadImage } from '@bancone/contract/images'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { upload } from '../../lib/upload.ts'
import { toastResult } from '../../ui/toast.ts'
import { type ChosenImage, keptImage } from './chosen-image.ts'
import { type ImageFailure, imageFailure } from './image-failure.ts'
import { sendablePicture } from './sendable-picture.ts'

/** So long the server may take to fetch a picture from elsewhere, and to draw it. */
const IMPORT_MS = 60_000

export type ImageWork =
  | { state: 'idle' }
  | { state: 'preparing' | 'drawing' | 'fetching' }
  | { state: 'sending'; percent: number }
  /** `again` is null where it would fail again. */
  | { state: 'failed'; failure: ImageFailure; again: (() => void) | null }

export function isWorking({ state }: ImageWork): boolean {
  return state !== 'idle' && state !== 'failed'
}

/** Brings one picture to the server at a time: a file, or one that is elsewhere. It ends with the page. */
export function useImageUpload(onKept: (image: ChosenImage) => void) {
  const [work, setWork] = useState<ImageWork>({ state: 'idle' })
  /** The file itself, until the kept picture is seen in its place. */
  const [preview, setPreview] = useState<string | null>(null)
  const own = useRef<AbortController | null>(null)
  useEffect(() => () => own.current?.abort(), [])
  // What is told of it is who shows it by then: it has changed while the picture was on its way.
  const keeper = useRef(onKept)
  useEffect(() => {
    keeper.current = onKept
  }, [onKept])
  useEffect(() => {
    if (preview === null) return undefined
    return () => URL.revokeObjectURL(preview)
  }, [preview])

  async function run(take: (signal: AbortSignal) => Promise<ChosenImage>, again: () => void) {
    own.current?.abort()
    const { signal } = (own.current = new AbortController())
    try {
      const image = await take(signal)
      if (signal.aborted) return
      setWork({ state: 'idle' })
      keeper.current(image)
      toastResult('Immagine caricata', {
        about: 'image',
        description: "L'immagine è stata caricata con successo",
      })
    } catch (error) {
      // Who gave it up knows.
      if (signal.aborted) return
      setPreview(null)
      const failure = imageFailure(error)
      setWork({ state: 'failed', failure, again: failure.passes ? again : null })
    }
  }

  function send(file: File) {
    setPreview(URL.createObjectURL(file))
    setWork({ state: 'preparing' })
    void run(
      async (signal) => {
        const picture = await sendablePicture(file)
        const onProgress = (percent: number) =>
          setWork(percent < 100 ? { state: 'sending', percent } : { state: 'drawing' })
        return keptImage(await upload(uploadImage, {}, picture, { signal, onProgress }), 'manual')
      },
      () => send(file),
    )
  }

  function fetchFrom(url: string) {
    setPreview(null)
    setWork({ state: 'fetching' })
    void run(
      async (signal) => {
        const options = { signal, reads: true, timeLimit: IMPORT_MS }
        return keptImage(await call(importImage, { body: { url } }, options), 'manual')
      },
      () => fetchFrom(url),
    )
  }

  return {
    work,
    preview,
    send,
    fetchFrom,
    /** Gives up what is under way, or forgets what has failed. */
    stop() {
      own.current?.abort()
      setPreview(null)
      setWork({ state: 'idle' })
    },
    /** The kept picture is seen: the file is not needed any more. */
    seen() {
      if (!isWorking(work)) setPreview(null)
    },
  }
}
