// On a narrow screen the exhibits are a row that scrolls: the one that is open comes into view. Run with each exhibit
// that is opened; the first time Streamlit may still be loading what draws the row.
(function reveal(pictures) {
  const row = document.querySelector(".st-key-exhibits [role=radiogroup]");
  const open = row?.querySelectorAll("label")[PLACE];
  if (open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  else if (pictures) requestAnimationFrame(() => reveal(pictures - 1));
})(600);
