import { Volume2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { type NewsToHear, useNewsSound } from './use-news-sound.ts'

/** The sound of unseen orders and of arrivals, with a button where the browser blocks it. */
export function NewsSound(news: NewsToHear) {
  const { blocked, unblock } = useNewsSound(news)
  const hasArrivals = Boolean(news.arrivals)
  return (
    <div role="status">
      {blocked ? (
        <Button look={hasArrivals ? 'secondary' : 'primary'} className="ml-2" onClick={unblock}>
          <Volume2 aria-hidden />
          {/* The announcement of an arrival has the room on a phone. */}
          <span className={hasArrivals ? 'max-[30rem]:sr-only' : undefined}>
            {news.arrivals === null ? 'Tocca per attivare il suono' : 'Attiva suoni'}
          </span>
        </Button>
      ) : null}
    </div>
  )
}
