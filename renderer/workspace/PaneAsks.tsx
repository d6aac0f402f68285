import { CircleStop, ClipboardPaste, ClipboardPen, ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../app/services.ts';
import { type Closing, dropAsk, type Pane, type PaneAsk, paneOf } from '../state/panes-store.ts';
import { ArmingButton } from '../ui/ArmingButton.tsx';
import { Button } from '../ui/Button.tsx';
import { counted, formatBytes } from '../ui/format.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { closeWords } from './outcome-words.ts';
import { Strip } from './Strip.tsx';

/**
 * What the pane asks, each kind in a strip of its own. The answer gives the focus back to the terminal. What its program asks
 * waits for what the person brought up: neither moves under the pointer, nor is answered by a click that was for the other.
 */
export function PaneAsks({ pane }: { readonly pane: Pane }) {
  const own = pane.asks.filter(({ kind }) => kind !== 'clipboard');
  const shown = own.length > 0 ? own : pane.asks;
  return shown.map((ask) => <Ask key={ask.kind} pane={pane} ask={ask} />);
}

function Ask({ pane, ask }: { readonly pane: Pane; readonly ask: PaneAsk }) {
  switch (ask.kind) {
    case 'close':
      return <CloseAsk pane={pane} closing={ask.closing} />;
    case 'paste':
      return <PasteAsk pane={pane} paste={ask.paste} />;
    case 'clipboard':
      return <ClipboardAsk pane={pane} request={ask.request} />;
    case 'link':
      return <LinkAsk pane={pane} link={ask.link} href={ask.href} />;
  }
}

function CloseAsk({ pane, closing }: { readonly pane: Pane; readonly closing: Closing }) {
  const { workspace } = useServices();
  const answer = (close: boolean) => workspace.answerClose(pane.id, closing, close);
  const sessions = closing.ends.length;
  const scope = closing.tab === null ? 'pane' : 'tab';
  const what = sessions > 1 ? counted(sessions, 'session') : 'its session';
  const engines = new Set(
    closing.ends.map((id) => paneOf(id)?.profile.engine).filter((one) => one !== undefined),
  );
  return (
    <Strip
      kind="ask"
      name="close"
      icon={<CircleStop size={16} />}
      title={`Close this ${scope} and end ${what}?`}
      onEscape={() => answer(false)}
      actions={
        <>
          <FocusedButton look="danger" onPress={() => answer(true)}>
            {sessions > 1 ? 'End sessions' : 'End session'}
          </FocusedButton>
          <Button onPress={() => answer(false)}>Keep open</Button>
        </>
      }
    >
      {closeWords([...engines]).map((sentence) => (
        <p key={sentence} className="strip-text">
          {sentence}
        </p>
      ))}
    </Strip>
  );
}

function PasteAsk({ pane, paste }: { pane: Pane; paste: Extract<PaneAsk, { kind: 'paste' }>['paste'] }) {
  const done = useDone(pane, 'paste');
  const { lines, bytes, removed, longLineBytes, text } = paste;
  return (
    <Strip
      kind="ask"
      name="paste"
      icon={<ClipboardPaste size={16} />}
      title={`Paste ${counted(lines, 'line')}, ${formatBytes(bytes)}?`}
      onEscape={done}
      actions={
        <>
          <FocusedButton
            look="primary"
            onPress={() => {
              paste.accept();
              done();
            }}
          >
            Paste
          </FocusedButton>
          <Button onPress={done}>Cancel</Button>
        </>
      }
    >
      <p className="strip-text">
        The program has not asked for pastes: each line end works like the Enter key.
      </p>
      {removed > 0 && (
        <p className="strip-warning">
          {counted(removed, 'control character')} of the clipboard {removed === 1 ? 'is' : 'are'} left out.
        </p>
      )}
      {longLineBytes !== null && (
        <p className="strip-warning">
          One line has {formatBytes(longLineBytes)}. A program that reads whole lines gets the first 4 KiB of
          it.
        </p>
      )}
      <Literal label="Text to paste" text={text} />
    </Strip>
  );
}

function ClipboardAsk({
  pane,
  request,
}: {
  pane: Pane;
  request: Extract<PaneAsk, { kind: 'clipboard' }>['request'];
}) {
  const done = useDone(pane, 'clipboard');
  const [refusal, setRefusal] = useState<string | null>(null);
  const allow = async () => {
    const reason = await request.accept();
    if (reason === null) done();
    else setRefusal(reason);
  };
  return (
    <Strip
      kind="ask"
      name="clipboard"
      icon={<ClipboardPen size={16} />}
      title={`The program in “${pane.profile.name}” wants to set the clipboard`}
      onEscape={done}
      actions={
        <>
          <ArmingButton onPress={() => void allow()}>Allow once</ArmingButton>
          <Button onPress={done}>Deny</Button>
        </>
      }
    >
      {refusal !== null && <p className="strip-warning">{refusal}</p>}
      <Literal label="Text for the clipboard" text={request.text} />
    </Strip>
  );
}

function LinkAsk({
  pane,
  link,
  href,
}: {
  pane: Pane;
  link: Extract<PaneAsk, { kind: 'link' }>['link'];
  href: string;
}) {
  const { sessions } = useServices();
  const done = useDone(pane, 'link');
  const { verdict, label } = link;
  const open = () => {
    void sessions.openLink(pane.id, href);
    done();
  };
  return (
    <Strip
      kind="ask"
      name="link"
      icon={<ExternalLink size={16} />}
      title={
        <>
          Open <strong>{verdict.ok ? verdict.parts.host : href}</strong> in the browser?
        </>
      }
      onEscape={done}
      actions={
        <>
          <FocusedButton look="primary" onPress={open}>
            Open
          </FocusedButton>
          <Button onPress={done}>Cancel</Button>
        </>
      }
    >
      {label !== '' && label !== href && label !== link.target && (
        <p className="strip-text">
          Shown in the terminal as <VisibleText text={label} limit={200} />
        </p>
      )}
      <Literal label="Full address" text={href} />
    </Strip>
  );
}

/** Bytes to be read: scrolls in itself, and can be scrolled by keyboard. */
function Literal({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region is too much for a few lines
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <div className="strip-literal" role="group" aria-label={label} tabIndex={0}>
      <VisibleText text={text} />
    </div>
  );
}

/** The answer that Enter gives. Only strips that a person brought up have one. */
function FocusedButton(props: Parameters<typeof Button>[0]) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
  }, []);
  return <Button {...props} ref={button} />;
}

function useDone(pane: Pane, kind: PaneAsk['kind']): () => void {
  const { sessions } = useServices();
  return () => {
    dropAsk(pane.id, kind);
    sessions.focus(pane.id);
  };
}
