import { Button, Menu } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import type { ViewPage } from '@throughline/contract';
import { memo, Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import type { ViewsStep } from './dialog/views-step.ts';
import classes from './saved-views.module.css';

// Loads the menu and the dialog lazily, since the first screen shows neither.
const ViewItems = lazyPart(() => import('./view-items.tsx'), 'ViewItems');
const ViewsDialog = lazyPart(() => import('./dialog/views-dialog.tsx'), 'ViewsDialog');

interface ViewsButtonProps {
  readonly page: ViewPage;
  /** Undefined for a list of all projects. */
  readonly projectId: string | undefined;
}

/** Opens the menu of the list's saved views. */
export const ViewsButton = memo(({ page, projectId }: ViewsButtonProps) => {
  const [step, setStep] = useState<ViewsStep>();
  const [wasOpened, setWasOpened] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const open = (first: ViewsStep) => {
    // A closing dialog restores the earlier focus. The menu item no longer exists then, so focus the menu's button first.
    trigger.current?.focus();
    setWasOpened(true);
    setStep(first);
  };
  return (
    <>
      <Menu position="bottom-end" width={280} withinPortal={false}>
        <Menu.Target>
          <Button
            ref={trigger}
            variant="default"
            px="sm"
            leftSection={<IconBookmark size={16} aria-hidden />}
            className={classes.button ?? ''}
          >
            <span className={classes.buttonText}>Views</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu ?? ''}>
          <Suspense fallback={<Menu.Label>Loading…</Menu.Label>}>
            <ViewItems
              page={page}
              projectId={projectId}
              onSave={() => open({ kind: 'save' })}
              onManage={() => open({ kind: 'list' })}
            />
          </Suspense>
        </Menu.Dropdown>
      </Menu>
      {wasOpened && (
        <Suspense>
          <ViewsDialog
            page={page}
            projectId={projectId}
            step={step}
            onStep={setStep}
            onClose={() => setStep(undefined)}
          />
        </Suspense>
      )}
    </>
  );
});
