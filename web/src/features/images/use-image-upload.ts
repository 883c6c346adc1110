import { errorText } from '@bancone/contract/errors'
import { importImage, type UploadedImage, uploadImage } from '@bancone/contract/images'
import { useEffect, useRef, useState } from 'react'
import { ApiError, type CallOptions, call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { type UploadOptions, upload } from '../../lib/upload.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { type ChosenImage, uploadedImage } from './chosen-image.ts'
import { toUploadablePicture, UnsupportedPictureError } from './uploadable-picture.ts'

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

type ImageFailure = {
  title: string
  text: string
  /** The cause, or what to do about it. */
  more: string | null
  /** A retry may succeed. */
  passes: boolean
}

const tooLarge: ImageFailure = {
  title: 'File troppo grande',
  text: errorText('images.too_large'),
  more: null,
  passes: false,
}
const notAPicture: ImageFailure = {
  title: 'Formato non supportato',
  text: errorText('images.not_a_picture'),
  more: null,
  passes: false,
}

const unsendable: Record<UnsupportedPictureError['why'], ImageFailure> = {
  too_large: tooLarge,
  not_a_picture: notAPicture,
  heic: {
    ...notAPicture,
    more: "È una foto HEIC di iPhone, che questo browser non sa leggere. Inviala dall'iPhone, oppure scegli Impostazioni › Fotocamera › Formati › «Più compatibile» e scattala di nuovo.",
  },
  gone: {
    title: 'Errore',
    text: "Impossibile caricare l'immagine",
    more: 'Il file non si può più leggere: sceglilo di nuovo.',
    passes: false,
  },
}

/** Permanent errors: a retry with the same picture fails, too. */
const lasting = new Set<string | null>(['images.too_wide', 'images.unreadable'])

/** Texts for a picture that could not be stored. */
function imageFailure(error: unknown): ImageFailure {
  if (error instanceof UnsupportedPictureError) return unsendable[error.why]
  const code = error instanceof ApiError ? error.code : null
  if (code === 'images.too_large') return tooLarge
  if (code === 'images.not_a_picture') return notAPicture
  return {
    title: 'Errore',
    text: "Impossibile caricare l'immagine",
    more: errorMessage(error),
    passes: !lasting.has(code),
  }
}
