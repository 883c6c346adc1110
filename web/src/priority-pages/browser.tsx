import { hydrateRoot } from 'react-dom/client'
import { PriorityApp } from '../features/priority-session/priority-app.tsx'
import { readPageData } from './page-data.ts'

const root = document.getElementById('page')
if (!root) throw new Error('priority.html has no #page')
hydrateRoot(root, <PriorityApp page={readPageData()} />)
