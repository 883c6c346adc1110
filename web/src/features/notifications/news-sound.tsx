import { Volume2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { type NewsToHear, useNewsSound } from './use-news-sound.ts'

/** The sound of unseen orders and of arrivals, with a button where the browser blocks it. */
export function NewsSound(news: NewsToHear) {
  const { blocked, unblock } = useNewsSound(news)
  return (
    <div role="status" className="print:hidden">
      {blocked ? (
        <Button look="primary" className="shadow-float max-sm:w-full" onClick={unblock}>
          <Volume2 aria-hidden />
          {news.arrivals === null ? 'Tocca per attivare il suono' : 'Attiva suoni'}
        </Button>
      ) : null}
    </div>
  )
}
