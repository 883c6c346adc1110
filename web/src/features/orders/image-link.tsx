import { ExternalLink } from 'lucide-react'

type ImageLinkProps = { image: string | null; number: string }

export function ImageLink({ image, number }: ImageLinkProps) {
  if (image === null) return <span className="text-muted">Non disponibile</span>
  return (
    <a
      href={image}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center gap-1 rounded font-medium text-accent underline-offset-4 hover:underline md:min-h-8"
    >
      Visualizza
      <span className="sr-only"> l'immagine dell'ordine {number} in una nuova scheda</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0 md:max-xl:hidden" />
    </a>
  )
}
