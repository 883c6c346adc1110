import { importImage, type UploadedImage, uploadImage } from '@bancone/contract/images'
import { useEffect, useRef, useState } from 'react'
import { type CallOptions, call } from '../../lib/api.ts'
import { type UploadOptions, upload } from '../../lib/upload.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { type ChosenImage, uploadedImage } from './chosen-image.ts'
import { type ImageFailure, imageFailure } from './image-failure.ts'
import { toUploadablePicture } from './uploadable-picture.ts'

/** Milliseconds for the server to fetch a picture from elsewhere and process it. */
const IMPORT_MS = 60_000

export type ImageWork =
  | { state: 'idle' }
  | { state: 'preparing' | 'drawing' | 'fetching' }
  | { state: 'sending'; percent: number }
  /** `again` is null when a retry would fail, too. */
  | { state: 'failed'; failure: ImageFailure; again: (() => void) | null }

export function isWorking({ state }: ImageWork): boolean {
  return state !== 'idle' && state !== 'failed'
}

export type SendPicture = (picture: Blob, options: UploadOptions) => Promise<UploadedImage>

const sendOwn: SendPicture = (picture, options) => upload(uploadImage, {}, picture, options)

/**
 * Uploads one picture at a time, from a file or by its URL. Aborted on unmount.
 * @param sendPicture how a file is sent, if not as a picture of the own pharmacy
 */
export function useImageUpload(
  onUploaded: (image: ChosenImage) => void,
  sendPicture: SendPicture = sendOwn,
) {
  const [work, setWork] = useState<ImageWork>({ state: 'idle' })
  /** The file itself, until the stored picture is displayed. */
  const [preview, setPreview] = useState<string | null>(null)
  const own = useRef<AbortController | null>(null)
  useEffect(() => () => own.current?.abort(), [])
  // Calls the current handler, which may have changed during the upload.
  const latestHandler = useRef(onUploaded)
  useEffect(() => {
    latestHandler.current = onUploaded
  }, [onUploaded])
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
      latestHandler.current(image)
      toastSuccess('Immagine caricata', {
        about: 'image',
        description: "L'immagine è stata caricata con successo",
      })
    } catch (error) {
      // The user has aborted the upload.
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
        const picture = await toUploadablePicture(file)
        const onProgress = (percent: number) =>
          setWork(percent < 100 ? { state: 'sending', percent } : { state: 'drawing' })
        return uploadedImage(await sendPicture(picture, { signal, onProgress }), 'manual')
      },
      () => send(file),
    )
  }

  function fetchFrom(url: string) {
    setPreview(null)
    setWork({ state: 'fetching' })
    void run(
      async (signal) => {
        const options = { signal, readOnly: true, timeoutMs: IMPORT_MS } satisfies CallOptions
        return uploadedImage(await call(importImage, { body: { url } }, options), 'manual')
      },
      () => fetchFrom(url),
    )
  }

  return {
    work,
    preview,
    send,
    fetchFrom,
    /** Aborts the upload, or dismisses its error. */
    stop() {
      own.current?.abort()
      setPreview(null)
      setWork({ state: 'idle' })
    },
    /** The stored picture is displayed: the file is not needed any more. */
    seen() {
      if (!isWorking(work)) setPreview(null)
    },
  }
}
