/** What an exported page runs besides the player. Plain JavaScript of a browser; texts of the recording become text only. */
export const PAGE_SCRIPT = `'use strict';
(() => {
  const data = document.getElementById('recording').textContent.trim();
  const failed = document.getElementById('failed');
  const fail = (error) => {
    failed.textContent = 'The recording cannot be played: ' + error;
    failed.hidden = false;
  };
  const markers = [];
  let seconds = 0;
  let last = 0;
  for (const line of data.split('\\n').slice(1)) {
    const [interval, code, label] = JSON.parse(line);
    seconds += interval;
    last = seconds;
    if (code === 'm') markers.push([seconds, label]);
  }
  const make = (startAt) =>
    AsciinemaPlayer.create({ data }, document.getElementById('player'), {
      theme: 'airlock',
      fit: 'width',
      controls: true,
      preload: true,
      startAt,
      poster: 'npt:' + (startAt || Math.min(1, last / 2)),
      idleTimeLimit: 2,
      logger: { log() {}, debug() {}, info() {}, warn() {}, error: (...said) => fail(said.join(' ')) },
    });
  let player = make(0);
  // The player takes its colours once.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    const at = player.getCurrentTime();
    player.dispose();
    player = make(at);
  });
  const clock = (at) => {
    const whole = Math.floor(at);
    const two = (number) => String(number).padStart(2, '0');
    return (whole >= 3600 ? Math.floor(whole / 3600) + ':' : '') + two(Math.floor(whole / 60) % 60) + ':' + two(whole % 60);
  };
  const section = document.getElementById('moments');
  const list = section.querySelector('ol');
  markers.slice(0, 2000).forEach(([at, label], index) => {
    const button = document.createElement('button');
    button.type = 'button';
    const time = document.createElement('span');
    time.className = 'time';
    time.textContent = clock(at);
    button.append(time, ' ', label);
    button.addEventListener('click', () => player.seek({ marker: index }).catch(fail));
    const item = document.createElement('li');
    item.append(button);
    list.append(item);
  });
  section.hidden = markers.length === 0;
})();
`;
