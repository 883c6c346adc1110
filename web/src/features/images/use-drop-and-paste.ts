import { type DragEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { parseUrl } from '../../lib/parse-url.ts'

type Given = {
  onFile: (file: File) => void
  onLink: (url: string) => void
}

/** Parses pasted or typed text as the URL of a picture; null when it is none. */
export function pictureLink(text: string): string | null {
  const typed = text.trim()
  if (/\s/.test(typed) || !/^https?:\/\/./i.test(typed) || !parseUrl(typed)) return null
  return typed.length <= 2_000 ? typed : null
}

function carries({ types }: DataTransfer): boolean {
  return types.includes('Files') || types.includes('text/uri-list')
}

function take(data: DataTransfer, { onFile, onLink }: Given): boolean {
  const [file] = data.files
  // Some browsers pass a picture dragged from another page only as its URL.
  const link = pictureLink(data.getData('text/uri-list').split(/\r?\n/, 1)[0] ?? '')
  if (file) onFile(file)
  else if (link !== null) onLink(link)
  return Boolean(file) || link !== null
}

/** Handles drops on an element: a file, or the URL of a picture. */
export function useDroppedPicture(given: Given) {
  const [over, setOver] = useState(false)
  useEffect(() => {
    // A drop beside the element would open the file instead of the page.
    const keep = (event: globalThis.DragEvent) => {
      const { dataTransfer: data, target } = event
      if (!data || !carries(data)) return
      // URLs may be dropped into text fields as text.
      if (data.types.includes('Files') || !isTyping(target)) event.preventDefault()
    }
    document.addEventListener('dragover', keep)
    document.addEventListener('drop', keep)
    return () => {
      document.removeEventListener('dragover', keep)
      document.removeEventListener('drop', keep)
    }
  }, [])

  return {
    over,
    handlers: {
      onDragEnter: (event: DragEvent) => setOver(carries(event.dataTransfer)),
      onDragOver(event: DragEvent) {
        if (carries(event.dataTransfer)) event.dataTransfer.dropEffect = 'copy'
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        const within = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!within) setOver(false)
      },
      onDrop(event: DragEvent) {
        setOver(false)
        if (take(event.dataTransfer, given)) event.preventDefault()
      },
    },
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]')
}

/** Takes pictures and their URLs that are pasted anywhere on the page while the element is on it. */
export function usePastedPicture(place: RefObject<HTMLElement | null>, given: Given) {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData: data } = event
    if (!data || event.defaultPrevented) return
    // The element is behind a dialog.
    if (place.current?.closest('[aria-hidden=true], [inert]')) return
    const text = data.getData('text/plain')
    // Pasting into a field means the text, which some programs copy together with a picture of it.
    if (isTyping(event.target) && text !== '') return
    const [file] = data.files
    const link = pictureLink(text)
    if (file) given.onFile(file)
    else if (link !== null) given.onLink(link)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => paste(event)
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
