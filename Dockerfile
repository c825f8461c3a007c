# The dashboard, its kernels compiled: docker build -t rankscope . && docker run -p 127.0.0.1:8501:8501 rankscope
#
# RANKSCOPE_HOSTS names what it is reached by beside localhost, with blanks between; whoever reaches it can train
# and upload, for there is no login. Data sets go into the volume /data; runs are kept there, too.
FROM python:3.11-slim

RUN useradd --create-home --uid 1000 rankscope && mkdir /app /data && chown rankscope /app /data
WORKDIR /app

COPY requirements.txt requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock

USER rankscope
COPY --chown=rankscope ltr_core ltr_core
COPY --chown=rankscope data/cubic-small /data/cubic-small
RUN RANKSCOPE_QUIET=1 python -c "import ltr_core; ltr_core.warmup()"
COPY --chown=rankscope app.py pyproject.toml ./
COPY --chown=rankscope pages pages
COPY --chown=rankscope .streamlit .streamlit

ENV RANKSCOPE_ADDRESS=0.0.0.0 RANKSCOPE_PORT=8501 RANKSCOPE_HOSTS="" RANKSCOPE_DATA=/data
EXPOSE 8501
VOLUME /data
HEALTHCHECK --start-period=30s --interval=30s CMD python -c "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"RANKSCOPE_PORT\"]}/_stcore/health', timeout=5)"
CMD ["python", "-m", "pages.ui.app.serve"]
